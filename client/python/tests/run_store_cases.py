"""Runs the table of LangGraph's stores, which comes as JSON, with the stores of Recollect and the one in memory, and a
graph with the node that recalls.

Prints what differs from the table, and what the graph recalls, as JSON. The address and the key of the service come from the environment.
"""

from __future__ import annotations

import asyncio
import json
import re
import sys
from collections.abc import Callable
from importlib import import_module
from typing import Any, TypedDict

from langchain_core.embeddings import Embeddings
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage
from langgraph.store.base import BaseStore, GetOp, ListNamespacesOp, MatchCondition, Op, PutOp, SearchOp
from langgraph.store.memory import InMemoryStore
from recollect import AsyncRecollect, Recollect
from recollect.langgraph import AsyncRecollectStore, RecollectStore, recall_node

DIMENSIONS = 500
Step = dict[str, Any]


class Words(Embeddings):
    """Embeds a text as the count of each of its words."""

    def __init__(self) -> None:
        self.known: dict[str, int] = {}

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        return [self.embed_query(text) for text in texts]

    def embed_query(self, text: str) -> list[float]:
        counts = [0.0] * DIMENSIONS
        for word in re.findall(r"[a-z]+", text.lower()):
            counts[self.known.setdefault(word, len(self.known)) % DIMENSIONS] += 1
        return counts


class Stepping:
    """What a step does to a store, by its synchronous functions or by its asynchronous ones."""

    def __init__(self, store: BaseStore, loop: asyncio.Runner | None) -> None:
        self.store = store
        self.loop = loop

    def __call__(self, name: str, *arguments: Any, **options: Any) -> Any:
        if self.loop is None:
            return getattr(self.store, name)(*arguments, **options)
        return self.loop.run(getattr(self.store, f"a{name}")(*arguments, **options))


def results_of(do: Stepping, step: Step) -> Any:
    match step:
        case {"batch": batch}:
            return [told_of(one, result) for one, result in zip(batch, do("batch", map(operation_of, batch)), strict=True)]
        case {"put": put} | {"refused": put}:
            return do("put", tuple(put["namespace"]), put["key"], put["value"])
        case {"delete": name}:
            return do("delete", tuple(name["namespace"]), name["key"])
        case {"get": name}:
            return told_of(step, do("get", tuple(name["namespace"]), name["key"]))
        case {"search": search}:
            options = {name: value for name, value in search.items() if name != "prefix"}
            return told_of(step, do("search", tuple(search["prefix"]), **options))
        case {"namespaces": options}:
            return told_of(step, do("list_namespaces", **options))
        case {"replace": put}:
            name = tuple(put["namespace"]), put["key"]
            before = do("get", *name)
            do("put", *name, put["value"])
            return "kept" if do("get", *name).created_at == before.created_at else "renewed"
        case {"fill": {"namespaces": namespaces, "count": count}}:
            puts = [PutOp(tuple(namespaces[n % len(namespaces)]), f"k{n}", {"at": n}) for n in range(count)]
            do("batch", puts)
            return None
        case {"pages": pages}:
            found = [
                do("search", tuple(pages["prefix"]), limit=pages["limit"], offset=offset) for offset in pages["offsets"]
            ]
            different = {item.key for page in found for item in page}
            return {"counts": [len(page) for page in found], "different": len(different)}
        case {"large": large}:
            value = large_of(large)
            do("put", ("large",), "k", value)
            return [do("get", ("large",), "k").value, do("search", ("large",))[0].value]
        case _:
            raise ValueError(f"unknown step: {step}")


def wanted_of(step: Step) -> Any:
    match step:
        case {"batch": batch}:
            return [wanted_of(one) for one in batch]
        case {"get": name}:
            return None if step["value"] is None else {**name, "value": step["value"]}
        case {"replace": _}:
            return step["created_at"]
        case {"first": first}:
            return [first, "number"]
        case {"pages": _}:
            return {"counts": step["counts"], "different": sum(step["counts"])}
        case {"large": large}:
            return [large_of(large), large_of(large)]
        case _:
            return step.get("found", step.get("count", step.get("listed")))


def told_of(step: Step, result: Any) -> Any:
    """A result as the table has it."""
    match step:
        case {"get": _}:
            return result and {"namespace": list(result.namespace), "key": result.key, "value": result.value}
        case {"namespaces": _}:
            return [list(path) for path in result]
        case {"count": _}:
            return len(result)
        case {"first": _}:
            first = result[0]
            return [[list(first.namespace), first.key], "number" if isinstance(first.score, float) else "none"]
        case {"search": _}:
            return sorted([list(item.namespace), item.key] for item in result)
        case _:
            return result


def operation_of(step: Step) -> Op:
    match step:
        case {"put": put}:
            return PutOp(tuple(put["namespace"]), put["key"], put["value"])
        case {"delete": name}:
            return PutOp(tuple(name["namespace"]), name["key"], None)
        case {"get": name}:
            return GetOp(tuple(name["namespace"]), name["key"])
        case {"search": search}:
            return SearchOp(tuple(search["prefix"]))
        case {"namespaces": options}:
            return ListNamespacesOp((MatchCondition("prefix", tuple(options["prefix"])),), limit=options["limit"])
        case _:
            raise ValueError(f"unknown operation: {step}")


def large_of(large: dict[str, Any]) -> dict[str, Any]:
    return {"text": large["text"] * large["times"], "times": large["times"]}


def holds(do: Stepping, step: Step) -> tuple[bool, Any]:
    """Whether a step results in what the table says, and what it results in."""
    try:
        results = results_of(do, step)
    except Exception as error:
        return "refused" in step and "namespace" in str(error).lower(), f"{type(error).__name__}: {error}"
    wanted = wanted_of(step)
    if "found" in step or step.get("in_any_order"):
        wanted, results = sorted(wanted), sorted(results)
    return "refused" not in step and results == wanted, results


def faults_of(name: str, cases: list[dict[str, Any]], new: Callable[[], Stepping]) -> list[Any]:
    faults: list[Any] = []
    for case in cases:
        do = new()
        for step in case["steps"]:
            ok, results = holds(do, step)
            if ok == (name in step.get("differs", {})):
                faults.append({"case": case["name"], "step": str(step)[:300], "results": str(results)[:300]})
    return faults


class State(TypedDict):
    messages: list[BaseMessage]
    memories: str


def recalled(client: Recollect, async_client: AsyncRecollect, loop: asyncio.Runner) -> dict[str, Any]:
    """What a graph recalls, synchronously, in a thread and asynchronously."""
    client.remember({"role": "user", "content": "I am allergic to peanuts."}, user="ada", conversation_id="c1")
    said = [HumanMessage("Hello."), AIMessage("Hello."), HumanMessage("Which allergy to peanuts is there?")]
    results: dict[str, Any] = {}
    for name, node in (("thread", recall_node(client)), ("async", recall_node(client, async_client=async_client))):
        # The package of graphs has no types.
        builder: Any = import_module("langgraph.graph").StateGraph(State)
        graph = builder.add_node("recall", node).add_edge("__start__", "recall").compile()
        config = {"configurable": {"user_id": "ada"}}
        results[name] = loop.run(graph.ainvoke({"messages": said}, config))["memories"]
        results["sync"] = graph.invoke({"messages": said}, config)["memories"]
        results["other"] = graph.invoke({"messages": said}, {"configurable": {"user_id": "bob"}})["memories"]
        try:
            graph.invoke({"messages": said})
        except TypeError as error:
            results["nobody"] = str(error)
    return results


def main() -> None:
    cases: list[dict[str, Any]] = json.load(sys.stdin)
    index: Any = {"dims": DIMENSIONS, "embed": Words()}
    with Recollect() as client, asyncio.Runner() as runner:
        async_client = AsyncRecollect()

        workspace = next(iter(client.projects.list()))["workspace_id"]

        def new_project() -> str:
            return client.projects.create(name="A store", workspace_id=workspace)["id"]

        result = {
            "memory": faults_of("python-memory", cases, lambda: Stepping(InMemoryStore(index=index), None)),
            "sync": faults_of(
                "python", cases, lambda: Stepping(RecollectStore(client, project_id=new_project()), None)
            ),
            "async": faults_of(
                "python",
                cases,
                lambda: Stepping(AsyncRecollectStore(async_client, project_id=new_project()), runner),
            ),
            "graph": recalled(client, async_client, runner),
        }
        runner.run(async_client.close())
    json.dump(result, sys.stdout)


main()
