"""Stores, searches, exports and imports memories. It may run again: it stores nothing twice.

The address and the key come from RECOLLECT_URL and RECOLLECT_API_KEY.
"""

import sys

from recollect import Recollect, RecollectError


def main(client: Recollect) -> None:
    item = client.memory.store(
        content="Ada is allergic to peanuts.", tags=["ada"], custom_id="allergy", wait_ms=5_000
    )
    print(f"stored {item['id']}, version {item['version']}")

    found = client.memory.search(query="Does anyone have a nut allergy?", filters={"tags": ["ada"]}, limit=3)
    print(f"found {found['results'][0]['content']['text']}")

    # An import changes the item that has the same custom_id. It would store an item without one again.
    exported = [item for item in client.memory.export() if item["custom_id"] is not None]
    print(f"exported {len(exported)}")
    summary = client.memory.import_(exported)
    print(f"imported: {summary.created} created, {summary.updated} updated")


with Recollect() as client:
    try:
        main(client)
    except RecollectError as error:
        # The request id is also in the log of the service.
        sys.exit(f"{error.code}: {error} ({error.request_id})")
