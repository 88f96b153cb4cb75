import { deleteMemory } from './delete-memory.ts'
import { fetchDocument } from './fetch.ts'
import { getMemory } from './get-memory.ts'
import { listMemories } from './list-memories.ts'
import { listProjects } from './list-projects.ts'
import { restoreMemory } from './restore-memory.ts'
import { retireMemory } from './retire-memory.ts'
import { recall } from './recall.ts'
import { search } from './search.ts'
import { searchMemories } from './search-memories.ts'
import { storeMemory } from './store-memory.ts'
import type { Tool } from './tool.ts'
import { updateMemory } from './update-memory.ts'
import { whoami } from './whoami.ts'

/** The tools in the order in which they are listed, so that a client's cached prompt stays the same. */
export const TOOLS: readonly Tool[] = [
  searchMemories,
  recall,
  storeMemory,
  getMemory,
  updateMemory,
  retireMemory,
  restoreMemory,
  deleteMemory,
  listMemories,
  listProjects,
  whoami,
  search,
  fetchDocument,
]
