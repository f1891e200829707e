# ScholarSearch in a container. CPU by default:
#   docker build -t scholarsearch:cpu --build-arg TORCH_ARGS="--index-url URL-of-the-CPU-wheels-of-torch" .
#   docker build -t scholarsearch:gpu --build-arg VARIANT=gpu .
#   docker run -p 127.0.0.1:8000:8000 -v scholarsearch:/data scholarsearch:cpu
FROM python:3.11-slim-bookworm AS builder
ARG VARIANT=cpu
ARG TORCH_ARGS=""
ENV PIP_NO_CACHE_DIR=1 PIP_ROOT_USER_ACTION=ignore
# make does not reach the final image, and its version changes nothing.
# hadolint ignore=DL3008
RUN apt-get update && apt-get install -y --no-install-recommends make && rm -rf /var/lib/apt/lists/*
WORKDIR /opt/scholarsearch
# The packages first: their layer changes only when a lock does.
COPY Makefile requirements-build.lock requirements-torch.lock requirements.lock ./
RUN make packages VARIANT="${VARIANT}" TORCH_ARGS="${TORCH_ARGS}"
COPY pyproject.toml README.md LICENSE NOTICE ./
COPY app app
COPY cli cli
COPY evaluation evaluation
COPY index index
COPY models models
COPY training training
RUN .venv/bin/python -m pip install --no-deps --no-build-isolation .

FROM python:3.11-slim-bookworm
LABEL org.opencontainers.image.title="ScholarSearch" org.opencontainers.image.licenses="Apache-2.0"
RUN useradd --system --uid 10001 --no-create-home --shell /usr/sbin/nologin scholarsearch \
    && install -d -o scholarsearch -g scholarsearch /data
# Only the environment, at the path where it was made: a source tree in the working directory would be imported instead.
COPY --from=builder /opt/scholarsearch/.venv /opt/scholarsearch/.venv
ENV PATH=/opt/scholarsearch/.venv/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    SCHOLARSEARCH_HOME=/data \
    XDG_CACHE_HOME=/data/cache
USER 10001
WORKDIR /data
VOLUME /data
EXPOSE 8000
HEALTHCHECK --interval=15s --timeout=3s --start-period=120s \
    CMD ["python", "-c", "import urllib.request; urllib.request.urlopen('http://127.0.0.1:8000/healthz', timeout=2)"]
CMD ["scholarsearch", "serve", "--host", "0.0.0.0", "--port", "8000"]
