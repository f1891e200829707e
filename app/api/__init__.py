"""HTTP: schemas, routers, middleware and problem documents. Handlers are short and call the pipeline."""
