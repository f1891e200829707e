"""How the reranker is learned and exported."""
