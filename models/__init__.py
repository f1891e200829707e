"""Networks: the bi-encoders and the reranker. Nothing here knows HTTP or the corpus."""
