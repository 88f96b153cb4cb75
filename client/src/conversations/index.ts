export type { Message, MessagePart } from './message.ts'
export type { Place } from './place.ts'
export { recall, type RecalledItems, type RecalledText, type RecallOptions } from './recall.ts'
export { remember, type Remembered, type RememberOptions } from './remember.ts'
