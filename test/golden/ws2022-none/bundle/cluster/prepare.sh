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

credentials() {
  enter
  discovery
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
