"""The corpus and the first stage: documents, time, lexical, dense and alias retrieval, fusion, snapshots."""
