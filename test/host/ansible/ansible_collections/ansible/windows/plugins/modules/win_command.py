# Stands in for ansible.windows.win_command: answers with the next of the answers that the test wrote for the command.
import json
import os

from ansible.module_utils.basic import AnsibleModule

module = AnsibleModule({"argv": {"type": "list", "elements": "str", "required": True}})
machine = os.environ["WINNODE_MACHINE"]
argv = module.params["argv"]
command = argv[argv.index("-File") + 2]
with open(os.path.join(machine, "journal"), "a") as journal:
    token = " with %s" % os.environ["WINNODE_TOKEN"] if "WINNODE_TOKEN" in os.environ else ""
    journal.write("run %s%s\n" % (" ".join(argv[argv.index("-File") + 1 :]), token))

with open(os.path.join(machine, "answers.json")) as file:
    answers = json.load(file)
answer = answers[command].pop(0)
with open(os.path.join(machine, "answers.json"), "w") as file:
    json.dump(answers, file)

if command == "Join" and answer["rc"] == 0:
    os.makedirs(os.path.join(machine, "C:/etc/kubernetes"), exist_ok=True)
    open(os.path.join(machine, "C:/etc/kubernetes/kubelet.conf"), "w").close()
result = {"rc": answer["rc"], "stdout": answer["stdout"], "stderr": answer.get("stderr", ""), "changed": True}
if answer["rc"] != 0:
    module.fail_json(msg="non-zero return code", **result)
module.exit_json(**result)
