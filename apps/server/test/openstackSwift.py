"""OpenStack Swift with its S3 API, as a single process that keeps objects in memory.

Usage: python3 openstackSwift.py FOLDER MEMCACHED_PORT. Prints the port. The access key is test:tester, the secret testing.
"""

import os
import sys

import eventlet

eventlet.monkey_patch()

from eventlet import wsgi  # noqa: E402
from swift.common import utils  # noqa: E402
from swift.common.ring.builder import RingBuilder  # noqa: E402
from swift.common.wsgi import loadapp  # noqa: E402
from swift.account.server import AccountController  # noqa: E402
from swift.container.server import ContainerController  # noqa: E402
from swift.obj.mem_server import ObjectController  # noqa: E402

folder, memcached_port = sys.argv[1:]
devices = os.path.join(folder, "devices")
os.makedirs(os.path.join(devices, "sda"))


def write(name, text):
    with open(os.path.join(folder, name), "w") as file:
        file.write(text)


write("swift.conf", "[swift-hash]\nswift_hash_path_suffix = test\n[storage-policy:0]\nname = only\ndefault = yes\n")
utils.set_swift_dir(folder)
utils.validate_hash_conf()

conf = {"devices": devices, "mount_check": "false", "swift_dir": folder, "workers": "0", "bind_ip": "127.0.0.1"}
servers = {"account": AccountController, "container": ContainerController, "object": ObjectController}
for name, controller in servers.items():
    socket = eventlet.listen(("127.0.0.1", 0))
    builder = RingBuilder(1, 1, 0)
    builder.add_dev({
        "id": 0, "region": 1, "zone": 1, "weight": 1, "ip": "127.0.0.1", "port": socket.getsockname()[1], "device": "sda",
    })
    builder.rebalance()
    builder.get_ring().save(os.path.join(folder, name + ".ring.gz"))
    eventlet.spawn(wsgi.server, socket, controller(conf), open(os.devnull, "w"))

write("proxy.conf", """
[DEFAULT]
swift_dir = %s
log_level = CRITICAL
[pipeline:main]
pipeline = catch_errors cache s3api tempauth proxy-server
[app:proxy-server]
use = egg:swift#proxy
allow_account_management = true
account_autocreate = true
[filter:catch_errors]
use = egg:swift#catch_errors
[filter:cache]
use = egg:swift#memcache
memcache_servers = 127.0.0.1:%s
[filter:s3api]
use = egg:swift#s3api
location = us-east-1
s3_acl = false
[filter:tempauth]
use = egg:swift#tempauth
user_test_tester = testing .admin
""" % (folder, memcached_port))
proxy = eventlet.listen(("127.0.0.1", 0))
print(proxy.getsockname()[1], flush=True)
wsgi.server(proxy, loadapp(os.path.join(folder, "proxy.conf")), open(os.devnull, "w"))
