#!/usr/bin/env bash
# The gateway in its container: `run` renders the configuration into the one folder that can be written, and becomes nginx;
# `health` asks it for a path that nobody else answers.
set -euo pipefail

folder=${STRIDE_GATEWAY_FOLDER:-/run/gateway}
case ${1:-} in
    run)
        /opt/stride/Scripts/render-gateway.sh >"$folder/gateway.conf"
        # Its paths lie in the folder that it is given.
        ln -sfn /opt/stride/assets/web "$folder/web"
        ln -sfn /opt/stride/assets/docs "$folder/docs"
        exec /usr/sbin/nginx -e stderr -p "$folder/" -c "$folder/gateway.conf"
        ;;
    health)
        exec 3<>"/dev/tcp/127.0.0.1/$STRIDE_GATEWAY_PORT"
        printf 'GET /v1 HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n' >&3
        IFS=' ' read -r -t 3 _ status _ <&3
        # Plain text where TLS is spoken is 400.
        [[ $status == 40[04] ]]
        ;;
    *)
        echo "usage: gateway.sh run|health" >&2
        exit 2
        ;;
esac
