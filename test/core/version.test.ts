import { expect, test } from 'vitest'
import client from '../../client/package.json'
import service from '../../package.json'
import { rpc } from '../support/mcp.ts'
import { call, newTenant } from '../support/world.ts'

test('the handshake of agents and both documents name the version of the package', async () => {
  const { version } = service
  expect(client.version).toBe(version)
  const { key } = await newTenant()
  const initialize = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 't', version: '1' } }
  expect((await rpc('initialize', initialize, { bearer: key })).body.result.serverInfo.version).toBe(version)
  for (const name of ['openapi', 'asyncapi']) {
    expect((await call('GET', `/api-reference/${name}.json`)).body.info.version, name).toBe(version)
  }
})
