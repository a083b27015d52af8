# Stands in for ansible.windows.win_reboot.
import os

from ansible.module_utils.basic import AnsibleModule

module = AnsibleModule({"reboot_timeout": {"type": "int"}})
with open(os.path.join(os.environ["WINNODE_MACHINE"], "journal"), "a") as journal:
    journal.write("restart\n")
module.exit_json(changed=True, rebooted=True)
