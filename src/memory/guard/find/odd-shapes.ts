import { BOUNDARY, type Found } from './found.ts'
import { isRandom } from './plausible.ts'

/** The end of each is random, whatever stands before. */
const RANDOM_END = 30

interface OddShape {
  kind: string
  /** Stands in every such token, so that most texts are passed over. */
  mark: string
  expression: RegExp
}

/** A token begins at a word, and ends with one. */
const odd = (kind: string, mark: string, source: string): OddShape => ({
  kind,
  mark,
  expression: new RegExp(`${BOUNDARY}${source}(?![\\w-])`, 'g'),
})

/** Tokens that no prefix shows: what is fixed stands in their midst. */
const ODD_SHAPES = [
  // https://resend.com/docs/api-reference/introduction
  odd('resend_key', 're_', 're_[A-Za-z0-9]{6,12}_[A-Za-z0-9]{20,32}'),
  // https://core.telegram.org/bots/api#authorizing-your-bot
  odd('telegram_bot_token', ':AA', '(?:bot)?\\d{8,10}:AA[\\w-]{32,34}'),
  // https://mailchimp.com/developer/marketing/guides/quick-start/
  odd('mailchimp_key', '-us', '[0-9a-f]{32}-us\\d{1,2}'),
  // https://developer.hashicorp.com/terraform/cloud-docs/users-teams-organizations/api-tokens
  odd('terraform_token', '.atlasv1.', '[A-Za-z0-9]{14}\\.atlasv1\\.[\\w-]{60,70}'),
  // https://learn.microsoft.com/en-us/entra/identity-platform: secrets of applications
  odd('azure_client_secret', 'Q~', '[\\w~.-]{3}[78]Q~[\\w~.-]{31,34}'),
  // https://dev.maxmind.com/license-key
  odd('maxmind_key', '_mmk', '[A-Za-z0-9]{6}_[A-Za-z0-9]{29}_mmk'),
  // https://firebase.google.com/docs/cloud-messaging: keys of servers
  odd('firebase_server_key', ':APA91b', '[\\w-]{7,11}:APA91b[\\w-]{100,180}'),
  // https://developers.deepl.com/docs/getting-started/auth
  odd('deepl_key', ':fx', '[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}:fx'),
  // https://developer.paypal.com/braintree/docs/guides/authorization/overview
  odd('braintree_token', 'access_token$', 'access_token\\$(?:production|sandbox)\\$[a-z0-9]{16}\\$[0-9a-f]{32}'),
  // https://docs.discord.com/developers/reference#authentication: an id in base64, a time and an HMAC
  odd('discord_token', '.', '[MNO][A-Za-z0-9]{23,27}\\.[\\w-]{6}\\.[\\w-]{27,38}'),
]

export const findOddShapes = (text: string): Found[] =>
  ODD_SHAPES.filter(({ mark }) => text.includes(mark)).flatMap(({ kind, expression }) =>
    Array.from(text.matchAll(expression), ({ index, 0: token }) => ({
      kind,
      start: index,
      end: index + token.length,
    })).filter(({ start, end }) => isRandom(text, Math.max(start, end - RANDOM_END), end)),
  )
