import { describe, expect, test } from 'vitest'
import { readBeam } from '../../bench/support/public-sets/beam.ts'
import { readLongMemEval } from '../../bench/support/public-sets/longmemeval.ts'
import { firstQuestions, questionOf, sessionsOf, textsOf } from '../../bench/support/public-sets/set.ts'
import { beamTime, locomoTime, longMemEvalTime, realTalkTime } from '../../bench/support/public-sets/times.ts'
import { readLocomo, readRealTalk } from '../../bench/support/public-sets/two-speakers.ts'

test.each([
  [longMemEvalTime, '2023/05/20 (Sat) 02:21', '2023-05-20T02:21:00.000Z'],
  [locomoTime, '1:56 pm on 8 May, 2023', '2023-05-08T13:56:00.000Z'],
  [locomoTime, '12:09 am on 13 September, 2023', '2023-09-13T00:09:00.000Z'],
  [realTalkTime, '29.12.2023, 19:42:17', '2023-12-29T19:42:17.000Z'],
  [beamTime, 'March-15-2024', '2024-03-15T00:00:00.000Z'],
])('%o reads %s', (timeOf, text, instant) => {
  expect(timeOf(text)).toBe(instant)
  expect(() => timeOf('yesterday')).toThrow('not a date: yesterday')
})

test('a day or month that does not exist is not a date', () => {
  expect(() => realTalkTime('31.02.2024, 10:00:00')).toThrow('not a date')
  expect(() => beamTime('Smarch-15-2024')).toThrow('not a date')
})

describe('LongMemEval', () => {
  const instance = {
    question_id: 'q1',
    question_type: 'single-session-user',
    question: 'What does Ada drink?',
    answer: 'Tea',
    question_date: '2023/05/30 (Tue) 10:00',
    haystack_session_ids: ['s1', 's2', 's1'],
    haystack_dates: ['2023/05/20 (Sat) 02:21', '2023/05/21 (Sun) 09:00', '2023/05/22 (Mon) 09:00'],
    haystack_sessions: [
      [
        { role: 'user', content: 'I drink tea.', has_answer: true },
        { role: 'assistant', content: 'Noted.', has_answer: false },
      ],
      [{ role: 'user', content: 'It rains.' }],
      [{ role: 'user', content: 'Tea again.' }],
    ],
    answer_session_ids: ['s1'],
  }

  test('each question has its own turns, labelled by turn and by session', () => {
    const [chat] = readLongMemEval([instance])
    expect(chat?.turns[1]).toEqual({
      id: '0:s1:1',
      session: '0:s1',
      text: 'assistant: Noted.',
      occurred_at: '2023-05-20T02:21:01.000Z',
    })
    expect(chat?.questions).toEqual([
      {
        query: 'What does Ada drink?',
        kind: 'single-session-user',
        reference_date: '2023-05-30T10:00:00.000Z',
        turns: ['0:s1:0'],
        sessions: ['0:s1', '2:s1'],
      },
    ])
  })

  test('an abstention has no answer, and a question without labels says so', () => {
    const unlabelled = { ...instance, haystack_sessions: [[], [], []] }
    const [abstention, other] = readLongMemEval([{ ...instance, question_id: 'q1_abs' }, unlabelled])
    expect(abstention?.questions).toMatchObject([{ kind: 'abstention', turns: [], sessions: [] }])
    expect(other?.questions).toMatchObject([{ turns: null, sessions: ['0:s1', '2:s1'] }])
  })

  test('another file is refused', () => {
    expect(() => readLongMemEval({ data: [] })).toThrow('expected array')
    expect(() => readLongMemEval([{ ...instance, haystack_dates: [] }])).toThrow('q1: a session has no id or no date')
  })
})

describe('LoCoMo and REALTALK', () => {
  const locomo = {
    sample_id: 'conv-1',
    conversation: {
      speaker_a: 'Ada',
      speaker_b: 'Ben',
      session_10_date_time: '1:56 pm on 9 May, 2023',
      session_10: [{ speaker: 'Ben', dia_id: 'D10:1', text: 'Look!', img_url: ['x'], blip_caption: 'a red kite' }],
      session_2_date_time: '1:56 pm on 8 May, 2023',
      session_2: [
        { speaker: 'Ada', dia_id: 'D2:1', text: 'I moved to Oslo.' },
        { speaker: 'Ben', dia_id: 'D2:2', text: 'Nice.' },
      ],
      session_11_date_time: '1:56 pm on 10 May, 2023',
    },
    qa: [
      { question: 'Where does Ada live?', answer: 'Oslo', evidence: ['D2:1'], category: 4 },
      { question: 'Both?', answer: 'x', evidence: ['D:2:02; D10:1'], category: 1 },
      { question: 'Where does Ben live?', adversarial_answer: 'Oslo', evidence: ['D2:1'], category: 5 },
      { question: 'Unlabelled?', answer: 'x', evidence: [], category: 3 },
      { question: 'Beyond?', answer: 'x', evidence: ['D2:9'], category: 2 },
    ],
  }

  test('turns come in the order of their sessions, with speaker, caption and time', () => {
    const [chat] = readLocomo([locomo])
    expect(chat?.turns).toEqual([
      { id: 'D2:1', session: 'session_2', text: 'Ada: I moved to Oslo.', occurred_at: '2023-05-08T13:56:00.000Z' },
      { id: 'D2:2', session: 'session_2', text: 'Ben: Nice.', occurred_at: '2023-05-08T13:56:01.000Z' },
      {
        id: 'D10:1',
        session: 'session_10',
        text: 'Ben: Look! [image: a red kite]',
        occurred_at: '2023-05-09T13:56:00.000Z',
      },
    ])
    expect(chat?.questions.map(({ kind, turns, sessions }) => [kind, turns, sessions])).toEqual([
      ['single-hop', ['D2:1'], ['session_2']],
      ['multi-hop', ['D2:2', 'D10:1'], ['session_2', 'session_10']],
      ['adversarial', [], []],
      ['open-domain', null, null],
      ['temporal', null, null],
    ])
  })

  test('a turn of REALTALK has its own time', () => {
    const chat = readRealTalk('Chat_1', {
      name: { speaker_1: 'Ada', speaker_2: 'Ben' },
      session_1_date_time: '29.12.2023, 19:42:00',
      session_1: [{ speaker: 'Ada', dia_id: 'D1:1', clean_text: 'Hello', date_time: '29.12.2023, 19:42:17' }],
      events_session_1: {},
      qa: [{ question: 'Who greets?', answer: 'Ada', evidence: ['D1:1'], category: '3' }],
    })
    expect(chat).toEqual({
      id: 'Chat_1',
      turns: [{ id: 'D1:1', session: 'session_1', text: 'Ada: Hello', occurred_at: '2023-12-29T19:42:17.000Z' }],
      questions: [{ query: 'Who greets?', kind: 'commonsense', turns: ['D1:1'], sessions: ['session_1'] }],
    })
  })

  test('another file is refused', () => {
    expect(() => readLocomo([{ sample_id: 'x', conversation: {}, qa: [] }])).toThrow('the chat has no sessions')
    expect(() => readRealTalk('x', { session_1: [] })).toThrow('qa')
  })
})

describe('BEAM', () => {
  const message = (id: number, content: string, more = {}) => ({ role: 'user', id, content, ...more })
  const chat = [
    {
      batch_number: 1,
      turns: [
        [message(0, 'I plan. ->-> 1,1', { time_anchor: 'March-15-2024' }), message(1, 'Sure.')],
        [message(2, 'More. ->-> 1,2')],
      ],
    },
    { batch_number: 2, turns: [[message(3, 'Later.', { time_anchor: 'April-01-2024' }), message(3, 'Twice.')]] },
  ]

  test('messages at any depth are turns, in sessions by date, without the mark at their end', () => {
    expect(
      readBeam('1', chat, {}).turns.map(({ id, session, text, occurred_at }) => [id, session, text, occurred_at]),
    ).toEqual([
      ['0', 'session_1', 'user: I plan.', '2024-03-15T00:00:01.000Z'],
      ['1', 'session_1', 'user: Sure.', '2024-03-15T00:00:02.000Z'],
      ['2', 'session_1', 'user: More.', '2024-03-15T00:00:03.000Z'],
      ['3@3', 'session_2', 'user: Later.', '2024-04-01T00:00:01.000Z'],
      ['3@4', 'session_2', 'user: Twice.', '2024-04-01T00:00:02.000Z'],
    ])
  })

  test('labels stand in lists or by name; one that several messages have is none', () => {
    const { questions } = readBeam('1', chat, {
      abstention: [{ question: 'a' }],
      event_ordering: [{ question: 'b', source_chat_ids: [2, 0, 2] }],
      knowledge_update: [{ question: 'c', source_chat_ids: { original_info: [0], updated_info: [1] } }],
      summarization: [{ question: 'd' }, { question: 'e', source_chat_ids: [3] }],
    })
    expect(questions.map(({ query, kind, turns }) => [query, kind, turns])).toEqual([
      ['a', 'abstention', []],
      ['b', 'event_ordering', ['2', '0']],
      ['c', 'knowledge_update', ['0', '1']],
      ['d', 'summarization', null],
      ['e', 'summarization', null],
    ])
  })

  test('another file is refused', () => {
    expect(() => readBeam('1', { chat: [] }, {})).toThrow('the chat has no messages')
    expect(() => readBeam('1', chat, { abstention: {} })).toThrow('expected array')
  })
})

test('a set is stored by turn or by session', () => {
  const turn = (id: string, session: string, occurred_at: string | null) => ({
    id,
    session,
    text: `t${id}`,
    occurred_at,
  })
  const turns = [turn('1', 'a', '2024-01-01T00:00:00.000Z'), turn('2', 'a', null), turn('3', 'b', null)]
  const chat = { id: 'c', turns, questions: [questionOf(turns, { query: 'q', kind: 'k', ids: ['3', '1'] })] }
  expect(chat.questions[0]?.sessions).toEqual(['b', 'a'])
  expect(textsOf(chat, 'turn')[1]).toEqual({ id: '2', text: 't2', conversation_id: 'a', occurred_at: undefined })
  expect(textsOf(chat, 'session')).toEqual([
    { id: 'a#1', text: 't1\nt2', conversation_id: undefined, occurred_at: '2024-01-01T00:00:00.000Z' },
    { id: 'b#1', text: 't3', conversation_id: undefined, occurred_at: undefined },
  ])
})

test('a session that is too long for an item is several, and counts once among the results', () => {
  const turns = ['1', '2', '3'].map((id) => ({ id, session: 'a', text: id.repeat(30_000), occurred_at: null }))
  const parts = textsOf({ id: 'c', turns, questions: [] }, 'session')
  expect(parts.map(({ id, text }) => [id, text.length])).toEqual([
    ['a#1', 60_001],
    ['a#2', 30_000],
  ])
  expect(sessionsOf(['a#2', 'b#1', 'a#1'])).toEqual(['a', 'b'])
})

test('a limit counts questions, and leaves out chats without one', () => {
  const question = (query: string) => ({ query, kind: 'k', turns: [], sessions: [] })
  const chat = (id: string, ...queries: string[]) => ({ id, turns: [], questions: queries.map(question) })
  const limited = firstQuestions([chat('x', '1', '2'), chat('empty'), chat('y', '3', '4'), chat('z', '5')], 3)
  expect(limited.map(({ id, questions }) => [id, questions.map(({ query }) => query)])).toEqual([
    ['x', ['1', '2']],
    ['y', ['3']],
  ])
})
