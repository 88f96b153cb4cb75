"""Stores, searches, exports and imports memories, with a client generated from the OpenAPI document of the service."""

import io
import json
import os
import sys

from recollect_client import AuthenticatedClient
from recollect_client.api.memory import export_memories, import_memories, search_memories, store_memory
from recollect_client.models import (
    Filters,
    MemoryImportReport,
    MemoryItem,
    MemoryItemStore,
    MemorySearch,
    MemorySearchReply,
    Problem,
)
from recollect_client.types import File

client = AuthenticatedClient(
    base_url=os.environ["BASE"], token=os.environ["KEY"], prefix="", auth_header_name="X-API-Key"
)


def checked(answer, expected):
    """Returns the answer. A problem ends the program with its code and the request id, which is also in the log."""
    if isinstance(answer, Problem):
        sys.exit(f"{answer.code}: {answer.detail} ({answer.request_id})")
    assert isinstance(answer, expected), answer
    return answer


fact = MemoryItemStore(content="Ada is allergic to peanuts.", tags=["ada"], custom_id="allergy", wait_ms=5000)
item = checked(store_memory.sync(client=client, body=fact), MemoryItem)
print(f"stored {item.custom_id}, version {item.version}")

question = MemorySearch(query="Does anyone have a nut allergy?", filters=Filters.from_dict({"tags": ["ada"]}), limit=3)
found = checked(search_memories.sync(client=client, body=question), MemorySearchReply)
print(f"found {found.results[0].content.text}")

exported = checked(export_memories.sync(client=client), File).payload.read().decode().splitlines()
print(f"exported {len(exported)}")

# An import updates the item that has the same custom_id. It stores lines without one again.
lines = "\n".join(line for line in exported if json.loads(line)["custom_id"] is not None)
body = File(payload=io.BytesIO(lines.encode()))
report = checked(import_memories.sync(client=client, body=body), MemoryImportReport)
print(f"imported: {report.created} created, {report.updated} updated")
