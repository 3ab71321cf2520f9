#!/usr/bin/env sh
# Prints a .env file for docker-compose.yml with new secrets: sh docker/make-env.sh single > .env
set -eu
secret() { od -An -N24 -tx1 /dev/urandom | tr -d ' \n'; }

case "${1:-}" in
  single) hosts=kurrentdb:2113 ;;
  cluster) hosts=kurrentdb-1:2113,kurrentdb-2:2113,kurrentdb-3:2113 ;;
  postgres) hosts='' ;;
  *)
    echo 'usage: sh docker/make-env.sh single|cluster|postgres' >&2
    exit 2
    ;;
esac

# Letters and digits only: they stand in URLs.
password=$(secret)
echo "POSTGRES_PASSWORD=$(secret)"
echo "KURRENTDB_ADMIN_PASSWORD=$(secret)"
echo "EVENTSTORE_PASSWORD=$password"
echo "THROUGHLINE_ADMIN_KEY=$(secret)"
if [ -n "$hosts" ]; then
  echo "COMPOSE_PROFILES=$1"
  echo "EVENTSTORE_HOSTS=$hosts"
  echo "EVENTSTORE_URL=esdb://throughline:$password@$hosts?tls=true&tlsCAFile=/certs/ca.crt"
else
  echo 'COMPOSE_PROFILES='
  echo 'EVENTSTORE_URL='
fi
