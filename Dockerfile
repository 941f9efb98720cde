# An image of Bespeak: the server, its pages, and a PostgreSQL of its own for who brings none.
#
#   docker build --tag bespeak .
#   docker run --init --publish 8000:8000 --volume bespeak:/data bespeak
#
# `compose.yaml` has a PostgreSQL beside it instead. scripts/try-package takes the same steps without a
# container. `--init` is a first process that takes care of what a killed worker leaves behind.
FROM python:3.11-slim-bookworm AS build
WORKDIR /src
COPY . .
# The wheel has the built pages in it: scripts/build_web.py makes them, with Node from a wheel.
RUN pip wheel --no-cache-dir --no-deps --wheel-dir /wheels .

FROM python:3.11-slim-bookworm
RUN groupadd --gid 10001 bespeak \
    && useradd --uid 10001 --gid bespeak --create-home bespeak \
    && install --directory --owner bespeak --group bespeak --mode 0700 /data
COPY requirements.lock /tmp/requirements.lock
COPY --from=build /wheels /tmp/wheels
RUN pip install --no-cache-dir --require-hashes --requirement /tmp/requirements.lock \
    && pip install --no-cache-dir --no-deps /tmp/wheels/*.whl \
    && rm -r /tmp/requirements.lock /tmp/wheels
USER 10001:10001
ENV BESPEAK_DATA_DIR=/data
VOLUME /data
EXPOSE 8000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 \
    CMD ["python", "-c", "import urllib.request as r; r.urlopen('http://127.0.0.1:8000/readyz', timeout=4)"]
ENTRYPOINT ["bespeak"]
CMD ["serve", "--host", "0.0.0.0", "--port", "8000"]
