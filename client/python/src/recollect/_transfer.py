from __future__ import annotations

from collections.abc import AsyncIterable, AsyncIterator, Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias, Unpack

from . import types as t
from ._family import AsyncFamily, Family
from ._request import LINES, Request, to_json

ImportLine: TypeAlias = "t.MemoryItemStore | t.MemoryItem | Mapping[str, Any]"
"""What `store` takes, or an item of an export."""

_LINES_PER_CALL = 1_000
_MAX_CALL_BYTES = 15 * 2**20
"""A call has at most 16 MiB (contract §1); the rest is for what the count leaves out."""
_SUMMARY_ERRORS = 50


@dataclass
class ImportSummary:
    """The sums of all calls, and the first 50 errors."""

    lines: int = 0
    created: int = 0
    updated: int = 0
    failed: int = 0
    times_kept: bool = True
    errors: list[t.MemoryImportReportResult] = field(default_factory=list["t.MemoryImportReportResult"])

    def add(self, report: t.MemoryImportReport, count: int) -> t.MemoryImportReport:
        """Returns the report with the lines counted over the whole import."""
        results: list[t.MemoryImportReportResult] = [
            {**result, "line": result["line"] + self.lines} for result in report["results"]
        ]
        self.lines += count
        self.created += report["created"]
        self.updated += report["updated"]
        self.failed += report["failed"]
        self.times_kept = self.times_kept and report["times_kept"]
        self.errors += [result for result in results if "error" in result][: _SUMMARY_ERRORS - len(self.errors)]
        return {**report, "results": results}


class _Batch:
    """The lines of a call: not too many, and not too large."""

    def __init__(self, lines_per_call: int) -> None:
        self._lines_per_call = lines_per_call
        self._held: list[bytes] = []
        self._size = 0

    def add(self, line: ImportLine) -> Iterator[list[bytes]]:
        text = to_json(line).encode()
        if self._held and self._size + len(text) + 1 > _MAX_CALL_BYTES:
            yield self._take()
        self._held.append(text)
        self._size += len(text) + 1
        if len(self._held) == self._lines_per_call:
            yield self._take()

    def rest(self) -> Iterator[list[bytes]]:
        if self._held:
            yield self._take()

    def _take(self) -> list[bytes]:
        held, self._held, self._size = self._held, [], 0
        return held


def _calls(lines: Iterable[ImportLine], lines_per_call: int) -> Iterator[list[bytes]]:
    batch = _Batch(lines_per_call)
    for line in lines:
        yield from batch.add(line)
    yield from batch.rest()


async def _async_calls(
    lines: Iterable[ImportLine] | AsyncIterable[ImportLine], lines_per_call: int
) -> AsyncIterator[list[bytes]]:
    if not isinstance(lines, AsyncIterable):
        for held in _calls(lines, lines_per_call):
            yield held
        return
    batch = _Batch(lines_per_call)
    async for line in lines:
        for held in batch.add(line):
            yield held
    for held in batch.rest():
        yield held


def _import(lines: list[bytes], project_id: str | None, key: str | None, before: int) -> Request:
    return Request(
        "POST",
        "/v1/memory/import",
        query={"project_id": project_id},
        body=b"\n".join(lines),
        idempotency_key=None if key is None else f"{key}-{before}",
    )


class Transfer(Family):
    def export(self, **query: Unpack[t.ExportMemoriesQuery]) -> Iterator[t.MemoryItem]:
        """Yields all items, as they come. The time-out is the longest silence."""
        return self._http.lines(Request("GET", "/v1/memory/export", query=query))

    def import_(
        self,
        lines: Iterable[ImportLine],
        *,
        project_id: str | None = None,
        lines_per_call: int = _LINES_PER_CALL,
        idempotency_key: str | None = None,
        on_report: Callable[[t.MemoryImportReport], None] | None = None,
    ) -> ImportSummary:
        """Stores what comes, in calls of 1,000 lines (at most 5,000). The service takes about 100 lines a second.

        Each call has a key of its own, and goes on where it broke off when it is repeated. With an `idempotency_key`
        of yours, an import of the same lines that is started again repeats nothing. `on_report` gets the report of
        each call, with the lines counted over the whole import. A line that fails is in the errors of the summary.
        """
        total = ImportSummary()
        for held in _calls(lines, lines_per_call):
            answer = self._http.send(_import(held, project_id, idempotency_key, total.lines))
            report = total.add(answer.data, len(held))
            if on_report is not None:
                on_report(report)
        return total


class AsyncTransfer(AsyncFamily):
    def export(self, **query: Unpack[t.ExportMemoriesQuery]) -> AsyncIterator[t.MemoryItem]:
        """Yields all items, as they come. The time-out is the longest silence."""
        return self._http.lines(Request("GET", "/v1/memory/export", query=query))

    async def import_(
        self,
        lines: Iterable[ImportLine] | AsyncIterable[ImportLine],
        *,
        project_id: str | None = None,
        lines_per_call: int = _LINES_PER_CALL,
        idempotency_key: str | None = None,
        on_report: Callable[[t.MemoryImportReport], None] | None = None,
    ) -> ImportSummary:
        """Stores what comes, in calls of 1,000 lines (at most 5,000). The service takes about 100 lines a second.

        Each call has a key of its own, and goes on where it broke off when it is repeated. With an `idempotency_key`
        of yours, an import of the same lines that is started again repeats nothing. `on_report` gets the report of
        each call, with the lines counted over the whole import. A line that fails is in the errors of the summary.
        """
        total = ImportSummary()
        async for held in _async_calls(lines, lines_per_call):
            answer = await self._http.send(_import(held, project_id, idempotency_key, total.lines))
            report = total.add(answer.data, len(held))
            if on_report is not None:
                on_report(report)
        return total


def _audit(query: Mapping[str, Any]) -> Request:
    return Request("GET", "/v1/audit", query=query, headers={"Accept": LINES})


class AuditLog(Family):
    def export(self, **query: Unpack[t.ListAuditRowsQuery]) -> Iterator[t.AuditRow]:
        """Yields all rows, as they come. The time-out is the longest silence."""
        return self._http.lines(_audit(query))


class AsyncAuditLog(AsyncFamily):
    def export(self, **query: Unpack[t.ListAuditRowsQuery]) -> AsyncIterator[t.AuditRow]:
        """Yields all rows, as they come. The time-out is the longest silence."""
        return self._http.lines(_audit(query))
