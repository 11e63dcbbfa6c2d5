# A mail server for trying things out: it files every mail into the Maildir /mail and sends none on.
FROM debian:bookworm-slim
RUN apt-get update \
    && apt-get install -y --no-install-recommends python3 python3-aiosmtpd \
    && rm -rf /var/lib/apt/lists/* \
    && install -d -o 10001 -g 10001 /mail /mail/new /mail/cur /mail/tmp
USER 10001:10001
VOLUME /mail
EXPOSE 8025
HEALTHCHECK --interval=10s --timeout=5s --retries=3 \
    CMD ["python3", "-c", "import smtplib; smtplib.SMTP('127.0.0.1', 8025, timeout=3).noop()"]
CMD ["python3", "-m", "aiosmtpd", "-n", "-l", "0.0.0.0:8025", "-c", "aiosmtpd.handlers.Mailbox", "/mail"]
