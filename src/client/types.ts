/** The JSON of the API. Clients ignore unknown fields and values: a version may add some. */

export interface MemoryContext {
  project_id?: string
  scope?: 'global' | 'project' | 'conversation' | 'document' | 'session'
  namespace?: string
  conversation_id?: string
  document_id?: string
  session_id?: string
}

export interface StoreMemory {
  content: string | { text: string; type?: string; metadata?: Record<string, unknown> }
  context?: MemoryContext
  tags?: string[]
  /** Seconds. */
  ttl?: number | null
  custom_id?: string | null
  visibility?: 'project' | 'private'
  permissions?: { user_id: string; access: 'read' | 'write' }[]
  deduplicate?: boolean
  /** Milliseconds, at most 10,000, to wait for the embedding. */
  wait_ms?: number
}

export type UpdateMemory = Partial<Omit<StoreMemory, 'content' | 'deduplicate' | 'wait_ms'>> & {
  content?: string | { text?: string; type?: string; metadata?: Record<string, unknown> }
}

export interface MemoryItem {
  id: string
  content: { text: string; type: string; metadata: Record<string, unknown> }
  context: MemoryContext & { project_id: string; namespace: string }
  tags: string[]
  ttl: number | null
  custom_id: string | null
  visibility: 'project' | 'private'
  /** Semantic search finds the item once this is `completed`. */
  embedding_status: 'pending' | 'processing' | 'completed' | 'failed'
  embedding_model: string | null
  embedding_error: string | null
  version: number
  created_at: string
  updated_at: string
  expires_at: string | null
  created_by: string
  deduplicated?: true
}

export interface SearchMemory {
  query: string
  context?: MemoryContext
  filters?: Record<string, unknown>
  limit?: number
  similarity_threshold?: number
  mode?: 'hybrid' | 'semantic' | 'keyword'
  include?: 'score_breakdown'[]
}

export interface SearchResults {
  results: (MemoryItem & { similarity: number | null; score: number; snippet: string; score_breakdown?: unknown })[]
  total: number
  mode: string
  /** Items in scope that still await their embedding. */
  pending: number
  took_ms: number
  degraded?: string
}

export interface MemoryEvent<Data = Record<string, unknown>> {
  id: string
  type: string
  channel: string
  timestamp: string
  data: Data
}

export interface PublishEvent {
  type: string
  channel?: string
  data: Record<string, unknown>
  workspace_id?: string
  project_id?: string
  targets?: string[]
}

export interface PublishedEvent {
  event_id: string
  published: true
  timestamp: string
  recipients: number
}

/** The body of a failed request (RFC 9457). */
export interface Problem {
  type: string
  title: string
  status: number
  detail: string
  code: string
  request_id: string
  errors?: { path: string; code: string; message: string }[]
}
