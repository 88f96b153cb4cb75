import { Recollect } from 'recollect'
import { RecollectStore } from 'recollect/langgraph'

const { BASE = '', KEY = '' } = process.env
const store = new RecollectStore({ recollect: new Recollect({ baseUrl: BASE, credential: { apiKey: KEY } }) })
await store.put(['users', 'ada'], 'allergy', { text: 'Ada is allergic to peanuts.' })
const item = await store.get(['users', 'ada'], 'allergy')
const found = await store.search(['users'], { query: 'peanuts' })
const namespaces = await store.listNamespaces({ prefix: ['users'] })
await store.delete(['users', 'ada'], 'allergy')
console.log(
  JSON.stringify({
    node: process.versions.node.split('.')[0],
    got: item?.value,
    found: found.map(({ key }) => key),
    namespaces,
    gone: await store.get(['users', 'ada'], 'allergy'),
  }),
)
