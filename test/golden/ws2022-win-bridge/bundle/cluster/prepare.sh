#!/bin/sh
# Prepares a cluster for the nodes of this bundle. README.md in this folder explains the commands.
set -eu
# Some of the created files are secrets.
umask 077

usage() {
  cat <<'END'
Usage: sh cluster/prepare.sh COMMAND...

Prepare the cluster for the nodes of this bundle.
Commands run in the given order; each can be rerun.

END
  printf '  %-21s %s\n' apply 'print what would change in the cluster, and apply the manifests'
  printf '  %-21s %s\n' credentials 'create or renew the files for the nodes'
  printf '  %-21s %s\n' token 'create a bootstrap token that is valid for one hour'
  printf '\nEnvironment variables:\n'
  printf '  %-21s %s\n' KUBECONFIG 'kubeconfig of a cluster administrator, as for kubectl'
  printf '  %-21s %s\n' FOR_THE_NODES 'folder for the files (default: for-the-nodes beside the bundle)'
}

fail() {
  echo "prepare.sh: $1" >&2
  exit "${2:-1}"
}

# If CDPATH is set, cd prints the folder.
bundle=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
[ -f "$bundle/node.json" ] || fail "$bundle is not a bundle: node.json not found"
nodes=${FOR_THE_NODES:-${bundle%/*}/for-the-nodes}
case $nodes in
  /*) ;;
  *) nodes=$PWD/$nodes ;;
esac

# Git ignores a new folder. An existing one keeps its mode and its .gitignore.
enter() {
  [ -d "$nodes" ] || { mkdir -p -- "$nodes" && echo '*' > "$nodes/.gitignore"; }
  cd -- "$nodes"
}

apply() {
  # kubectl diff returns 1 if objects differ.
  kubectl diff -k "$bundle/cluster" || true
  kubectl apply -k "$bundle/cluster"
}

discovery() {
  if kubectl -n kube-public get configmap cluster-info -o 'jsonpath={.data.kubeconfig}' > discovery.conf.new &&
    grep -q server discovery.conf.new; then
    mv discovery.conf.new discovery.conf
    echo "wrote $nodes/discovery.conf"
    return
  fi
  rm -f discovery.conf.new
  fail 'kube-public/cluster-info contains no kubeconfig: discovery.conf was not written'
}

find_server() {
  server=$(kubectl config view --kubeconfig discovery.conf -o 'jsonpath={.clusters[0].cluster.server}')
  case $server in
    https://127.* | https://localhost[:/]* | 'https://[::1]'*) echo "note: other machines cannot reach $server" >&2 ;;
    https://?*) ;;
    *) fail "the API server endpoint is '$server', expected https://..." ;;
  esac
}

# kubeconfig CA FIELD...: prints a kubeconfig with this CA in base64, and these fields of its user. kubectl would need
# the token in a command line, where other users can read it.
kubeconfig() {
  cat <<END
apiVersion: v1
kind: Config
clusters:
- name: cluster
  cluster:
    server: $server
    certificate-authority-data: $1
users:
- name: user
  user:
    $2
${3:+    $3}
contexts:
- name: default
  context:
    cluster: cluster
    user: user
current-context: default
END
}

# try KUBECONFIG PATH...: tests whether each path can be read; a new token may need some seconds to work.
try() (
  file=$1
  tries=5
  shift
  for place; do
    until kubectl --kubeconfig "$file" get --raw "$place" > /dev/null; do
      tries=$((tries - 1))
      [ "$tries" -gt 0 ] || fail "the API server at $server does not let $file read $place"
      sleep 2
    done
  done
)

# kubeconfig_for ACCOUNT FILE LISTS: writes a kubeconfig with the token that Kubernetes adds to the Secret of an account.
kubeconfig_for() (
  account=$1
  file=$2
  lists=$3
  tries=30
  trap 'rm -f "$file.new"' EXIT
  # A missing or empty Secret is waited for; other errors, such as missing access to Secrets, end here.
  secret() { kubectl -n kube-system get secret "$account" --ignore-not-found -o "jsonpath={.data.$1}"; }
  while :; do
    token=$(secret token) || fail "$file was not written"
    ca=$(secret 'ca\.crt') || fail "$file was not written"
    [ -z "$token" ] || [ -z "$ca" ] || break
    tries=$((tries - 1))
    [ "$tries" -gt 0 ] || fail "the Secret $account contains no token: $file was not written"
    sleep 2
  done
  rm -f "$file.new"
  kubeconfig "$ca" "token: $(printf %s "$token" | base64 -d)" > "$file.new"
  try "$file.new" /version "/api/v1/$lists?limit=1" || fail "$file was not written"
  mv "$file.new" "$file"
  echo "wrote $nodes/$file"
)

credentials() {
  enter
  discovery
  find_server
  kubeconfig_for winnode-kube-proxy kube-proxy.conf services
}

token() {
  enter
  if kubeadm token create --ttl 1h > token.new && [ -s token.new ]; then
    mv token.new token
    echo "wrote $nodes/token, which expires in one hour"
    return
  fi
  rm -f token.new
  fail 'token was not written'
}

if [ $# -eq 0 ]; then
  usage >&2
  exit 2
fi
# All commands are known before the first one runs.
for command; do
  case $command in
    -h | --help)
      usage
      exit
      ;;
    apply) ;;
    credentials) ;;
    token) ;;
    *) fail "unknown command $command; see sh cluster/prepare.sh --help" 2 ;;
  esac
done
for command; do
  case $command in
    apply) apply ;;
    credentials) credentials ;;
    token) token ;;
  esac
done
