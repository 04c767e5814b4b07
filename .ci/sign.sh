#!/bin/sh
# Writes SHA256SUMS of the files of a folder, and signs it: sign.sh FOLDER [PRIVATE-KEY], a key of OpenSSH.
set -eu

cd "$1"
key=${2:-}
if command -v sha256sum >/dev/null; then
    sums=sha256sum
else
    sums='shasum -a 256'
fi

rm -f SHA256SUMS SHA256SUMS.sig
names=$(find . -maxdepth 1 -type f ! -name '.*' | sed 's|^\./||' | LC_ALL=C sort)
test -n "$names" || { echo "sign.sh: nothing to sign in $1" >&2; exit 2; }
echo "$names" | while IFS= read -r name; do
    $sums "$name"
done >SHA256SUMS
if [ -n "$key" ]; then
    ssh-keygen -q -Y sign -f "$key" -n dplda-release SHA256SUMS
else
    echo "SHA256SUMS is not signed: name a key of OpenSSH, as make release SIGN_WITH=$HOME/.ssh/id_ed25519" >&2
fi
