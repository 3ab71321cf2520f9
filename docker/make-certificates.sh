#!/usr/bin/env bash
# An authority and, for each name given, a certificate of a KurrentDB node, where there are none yet. Both volumes are
# empty before the first run. A run that was broken off begins anew: the authority is put in its place last.
set -euo pipefail
certificates=${CERTIFICATES:-/certificates}
authority=${AUTHORITY:-/authority}
owner=${OWNER:-1000:1000}
# Long, because nothing here renews them: docs/deployment.md says how.
days=3650

if [ -e "$authority/ca.crt" ]; then
  echo 'the certificates are there'
  exit 0
fi

draft=$certificates/draft
rm -rf "$draft"
mkdir "$draft"
es-gencert-cli create-ca -days "$days" -out "$draft/authority"
for node in "$@"; do
  es-gencert-cli create-node -days "$days" -out "$draft/$node" \
    -ca-certificate "$draft/authority/ca.crt" -ca-key "$draft/authority/ca.key" \
    -ip-addresses 127.0.0.1 -dns-names "localhost,$node"
  rm -rf "${certificates:?}/$node"
done
# Nobody is to make another certificate this authority vouches for.
rm -f "$draft/authority/ca.key"
rm -rf "$certificates/ca"
mkdir "$certificates/ca"
cp "$draft/authority/ca.crt" "$certificates/ca/ca.crt"
for node in "$@"; do mv "$draft/$node" "$certificates/$node"; done
chown -R "$owner" "$certificates"
cp "$draft/authority/ca.crt" "$authority/ca.crt.new"
chmod 444 "$authority/ca.crt.new"
mv "$authority/ca.crt.new" "$authority/ca.crt"
rm -rf "$draft"
echo "made certificates for $*, good for $days days"
