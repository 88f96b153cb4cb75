// Writes the generated modules of the Python client from docs/openapi.json, docs/asyncapi.json and the table of functions in
// client/src/families.ts: the TypedDicts, and the families of both clients. `npm run docs` runs it.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../wrangler.ts'
import { eventSchemas, type EventDocument } from './events.ts'
import { declareByHand, familiesOf, keyedPaths } from './families.ts'
import { Models } from './models.ts'
import type { Document } from './schema.ts'

const PACKAGE = 'client/python/src/recollect'

const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8')

/** The generated modules that are not as the documents would have them now. */
export function stalePythonModules(): string[] {
  return Object.entries(modules()).flatMap(([file, text]) => (isCurrent(file, text) ? [] : [file]))
}

export function writePythonModules(): void {
  for (const [file, text] of Object.entries(modules())) writeFileSync(join(ROOT, file), text)
}

function isCurrent(file: string, text: string): boolean {
  try {
    return read(file) === text
  } catch {
    return false
  }
}

function modules(): Record<string, string> {
  const document = JSON.parse(read('docs/openapi.json')) as Document
  const events = JSON.parse(read('docs/asyncapi.json')) as EventDocument
  const models = new Models({ ...document.components.schemas, ...eventSchemas(events) })
  declareByHand(document, models)
  const families = (['', 'Async'] as const).map((prefix) => familiesOf(document, models, prefix))
  return {
    [`${PACKAGE}/types.py`]: typesModule(models),
    [`${PACKAGE}/_families.py`]: familiesModule(families),
    [`${PACKAGE}/_keyed.py`]: keyedModule(document),
  }
}

const head = (about: string): string =>
  `# Made from the documents of the service by \`npm run docs\`. Do not edit.\n"""${about}"""\n`

const typesModule = (models: Models): string => `${head(
  'The JSON of the API. Ignore fields and values that you do not know: a version may add some.',
)}
from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, NotRequired, TypeAlias, TypedDict

${models.text}`

const familiesModule = (
  families: string[],
): string => `${head('The functions of the clients, a class for each family.')}
from typing import Unpack

from . import types as t
from ._events import AsyncListener, Listener
from ._family import AsyncFamily, AsyncPages, Family, Pages
from ._transfer import AsyncAuditLog, AsyncTransfer, AuditLog, Transfer

${families.join('\n\n')}`

const keyedModule = (
  document: Document,
): string => `${head('The paths of POST operations that take an Idempotency-Key.')}
KEYED = frozenset(
    {
${keyedPaths(document)
  .toSorted()
  .map((path) => `        ${JSON.stringify(path)},\n`)
  .join('')}    }
)
`
