"""Networks: the bi-encoders now, the reranker later. Nothing here knows HTTP or the corpus."""
