import { DIGITS, type Seeded } from './random.ts'

type Around = (r: Seeded, secret: string) => string

/** Where people and programs leave secrets: prose, code of several languages, files of settings, logs, chats. */
const AROUND: Around[] = [
  (_, s) => `The key for the staging account is ${s}. Please do not share it.`,
  (_, s) => `we rotated it yesterday, new one: ${s}`,
  (_, s) => `Use "${s}" until Ada is back (she has the other one).`,
  (_, s) => `Das Token lautet ${s}, bitte notieren.`,
  (_, s) => `密钥是${s}。`,
  (_, s) => `remember this for later:\n\n${s}\n\nthanks!`,
  (_, s) => `[09:42] grace: can you paste it?\n[09:43] ada: ${s}\n[09:43] grace: got it 👍`,
  (_, s) => `> ${s}\nIs this still valid?`,
  (_, s) => `**Credentials**\n- service: \`${s}\`\n- owner: Ada`,
  (_, s) => `API_KEY=${s}`,
  (_, s) => `export SERVICE_KEY="${s}"\nexport REGION=eu-central-1`,
  (_, s) => `DEBUG=false\nAPP_SECRET='${s}'\nPORT=8080`,
  (_, s) => `service:\n  credential: ${s}\n  retries: 3`,
  (_, s) => JSON.stringify({ name: 'prod', credential: s, retries: 3 }),
  (_, s) => JSON.stringify({ config: JSON.stringify({ credential: s }) }),
  (_, s) => `const client = new Client({ key: '${s}' })`,
  (_, s) => `client = Client(\n    key="${s}",\n    timeout=30,\n)`,
  (_, s) => `var key = []byte("${s}") // remove before merging`,
  (_, s) => `private static final String KEY = "${s}";`,
  (_, s) => `$client->setKey("${s}");`,
  (_, s) => `let key = String::from("${s}");`,
  (_, s) => `curl -H "X-Api-Key: ${s}" https://api.example.net/v1/me`,
  (r, s) =>
    `2026-03-0${1 + r.below(9)}T10:${r.chars(2, '012345')}:07Z INFO worker-${r.chars(2, DIGITS)} connected with ${s} in 42ms`,
  (_, s) => `ERROR could not authenticate (${s}): 401`,
  (_, s) => `level=warn msg="retrying" credential=${s} attempt=2`,
  (_, s) => `line one\\nkey: ${s}\\nline three`,
  (_, s) => `<add key="Service" value="${s}" />`,
  (_, s) => `| name | value |\n| --- | --- |\n| prod | ${s} |`,
  (_, s) => `-  old: x\n+  new: ${s}`,
]

export const around = (r: Seeded, secret: string): string => r.pick(AROUND)(r, secret)
