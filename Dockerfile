# The app for one machine or a small group: docker compose up, then http://localhost:8501
FROM python:3.13-slim AS build
RUN pip install --no-cache-dir uv
WORKDIR /src
COPY . .
RUN uv venv /opt/treecore && uv pip install --no-cache --python /opt/treecore/bin/python ".[app,database,mcp,onnx,sign-in,sklearn]"

FROM python:3.13-slim
RUN useradd --create-home --uid 1000 treecore
COPY --from=build /opt/treecore /opt/treecore
ENV PATH=/opt/treecore/bin:$PATH XDG_CACHE_HOME=/home/treecore/.cache \
    STREAMLIT_SERVER_ADDRESS=0.0.0.0 STREAMLIT_SERVER_PORT=8501
USER treecore
WORKDIR /home/treecore
# Kernels are compiled here, once, and not while somebody waits. A volume at this place keeps them over new images.
RUN mkdir .cache && python -m treecore.warm
VOLUME /home/treecore/.cache
EXPOSE 8501
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s CMD \
    ["python", "-c", "import urllib.request as r; r.urlopen('http://127.0.0.1:8501/_stcore/health', timeout=4)"]
CMD ["treecore", "explore"]
