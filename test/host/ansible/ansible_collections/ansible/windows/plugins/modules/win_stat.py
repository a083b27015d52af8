# Stands in for ansible.windows.win_stat.
import os

from ansible.module_utils.basic import AnsibleModule

module = AnsibleModule({"path": {"type": "path", "required": True}}, supports_check_mode=True)
path = os.path.join(os.environ["WINNODE_MACHINE"], module.params["path"].replace("\\", "/"))
module.exit_json(stat={"exists": os.path.exists(path)})
