import { mkdir, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { expect, test } from 'vitest'
import { CredentialsFile } from '../../../src/cli/config/credentials.ts'
import { testIo } from '../support/io.ts'

const URL_A = 'https://a.example'

test('without a file nobody is logged in; the folder follows XDG_CONFIG_HOME, unless that is relative', async () => {
  const { io, home } = testIo()
  expect(await new CredentialsFile(io).deployment(URL_A)).toEqual({})
  expect(new CredentialsFile(io).path).toBe(`${home}/.config/recollect/credentials.json`)
  io.env['XDG_CONFIG_HOME'] = `${home}/elsewhere`
  expect(new CredentialsFile(io).path).toBe(`${home}/elsewhere/recollect/credentials.json`)
  io.env['XDG_CONFIG_HOME'] = 'relative'
  expect(new CredentialsFile(io).path).toBe(`${home}/.config/recollect/credentials.json`)
})

test('changes of many at once are all kept', async () => {
  const { io } = testIo()
  const file = new CredentialsFile({ ...io, now: () => 0 })
  const names = Array.from({ length: 10 }, (_, n) => `https://${n}.example`)
  await Promise.all(
    names.map((name) => file.updateDeployment(name, (deployment) => void (deployment.client_id = name))),
  )
  expect(Object.keys((await file.read()).deployments).sort()).toEqual(names)
})

test('a change that fails changes nothing', async () => {
  const { io } = testIo()
  const file = new CredentialsFile(io)
  await file.updateDeployment(URL_A, (deployment) => void (deployment.client_id = 'app_1'))
  const fails = file.updateDeployment(URL_A, (deployment) => {
    deployment.client_id = 'app_2'
    throw new Error('the service is down')
  })
  await expect(fails).rejects.toThrow('the service is down')
  expect(await file.deployment(URL_A)).toEqual({ client_id: 'app_1' })
})

test.each(['', '[', 'null', '{"version": 2}', '{"version": 1}'])(
  'a file that holds %j is not overwritten',
  async (text) => {
    const { io } = testIo()
    const file = new CredentialsFile(io)
    await mkdir(dirname(file.path), { recursive: true })
    await writeFile(file.path, text)
    await expect(file.updateDeployment(URL_A, () => {})).rejects.toThrow('not written by this version')
  },
)
