import type { AuthContext } from '../../core/context.ts'
import type { ItemRow } from '../item.ts'
import { bestChunk } from '../search/result.ts'
import type { Match } from '../search/match.ts'
import type { AroundJson } from '../search/neighbors-sql.ts'
import { snippet } from '../search/snippet.ts'
import { exchangesOf, toldBy, type Told } from './exchange.ts'
import type { Candidate, Line } from './text.ts'
import { inOrder, type Turn } from './turn.ts'

/** Characters that are shown of a turn that was found, and of one beside it. */
const MAX_LEAD_CHARACTERS = 1_000
const MAX_PARTNER_CHARACTERS = 300

/** Shows a part of a turn's text. */
type Shorten = (turn: Turn, size: number) => string

const beginning: Shorten = ({ text }, size) => snippet(text, [], () => null, size)

/** What relevant matches tell, best first. Equal matches fold to the newest of them, and no turn is shown twice. */
export function candidatesOf(ctx: AuthContext, terms: readonly string[], matches: readonly Match[]): Candidate[] {
  const byId = new Map(matches.map((match) => [match.row.id, match]))
  const shorten: Shorten = (turn, size) => {
    const match = byId.get(turn.id)
    return snippet(turn.text, terms, match ? bestChunk(ctx, match) : () => null, size)
  }
  const shown = new Set<string>()
  const candidates: Candidate[] = []
  for (const match of newestOfEqual(matches)) {
    const told = toldAround(match)
    if (!told || shown.has(told.lead.id)) continue
    const turns = told.turns.filter(({ id }) => !shown.has(id))
    for (const { id } of turns) shown.add(id)
    candidates.push(candidateOf({ ...told, turns }, shorten, (turn) => byId.has(turn.id)))
  }
  return candidates
}

/** The exchanges among turns, newest first. */
export function newestExchanges(turns: readonly Turn[]): Candidate[] {
  const conversations = Map.groupBy(turns, ({ conversationId }) => conversationId)
  return [...conversations.values()]
    .flatMap((own) => exchangesOf(own.toSorted(inOrder)))
    .toSorted((a, b) => inOrder(b.lead, a.lead))
    .map((told) => candidateOf(told, beginning, () => false))
}

export const noteCandidate = (note: Turn): Candidate =>
  candidateOf({ lead: note, turns: [note] }, beginning, () => false)

function candidateOf({ lead, turns }: Told, shorten: Shorten, isFound: (turn: Turn) => boolean): Candidate {
  const line = (turn: Turn, size: number): Line => ({ turn, text: shorten(turn, size) })
  return {
    lead: line(lead, MAX_LEAD_CHARACTERS),
    partners: turns
      .filter((turn) => turn !== lead)
      .map((turn) => line(turn, isFound(turn) ? MAX_LEAD_CHARACTERS : MAX_PARTNER_CHARACTERS)),
    shorter: (size) => line(lead, size),
  }
}

/** In the place of the best of equal texts stands the newest. What another person says is another fact. */
function newestOfEqual(matches: readonly Match[]): Match[] {
  const newest = new Map<string, Match>()
  for (const match of matches) {
    const { text, speaker } = match.row
    const fact = JSON.stringify([text.trim(), speaker])
    const other = newest.get(fact)
    if (!other || inOrder(turnOf(other), turnOf(match)) < 0) newest.set(fact, match)
  }
  return [...newest.values()]
}

function toldAround(match: Match): Told | null {
  const found = turnOf(match)
  if (found.conversationId === null) return { lead: found, turns: [found] }
  const beside = (json: string | null): Turn[] => (JSON.parse(json ?? '[]') as AroundJson[]).map(besideTo(found))
  const before = beside(match.row.before).toReversed()
  return toldBy([...before, found, ...beside(match.row.after)], before.length)
}

const turnOf = ({ row }: Match): Turn => itemTurn(row)

export const itemTurn = (row: ItemRow): Turn => ({
  id: row.id,
  conversationId: row.conversation_id,
  role: row.role,
  speaker: row.speaker,
  text: row.text,
  at: row.occurred_at ?? row.created_at,
})

const besideTo =
  ({ conversationId }: Turn) =>
  ([id, text, occurredAt, createdAt, role, speaker]: AroundJson): Turn => ({
    id,
    conversationId,
    role,
    speaker,
    text,
    at: occurredAt ?? createdAt,
  })
