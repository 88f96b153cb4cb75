import { execFile } from 'node:child_process'
import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ROOT } from '../../tools/wrangler.ts'
import { Agent } from './support/agent.ts'
import { canGenerateGo } from './support/go.ts'
import { startServer, type Server } from './support/server.ts'

const run = promisify(execFile)
/** Of PyPI, whose package holds the generator itself. */
const GENERATOR = 'openapi-generator-cli==7.26.0'
const GENERATE_MS = 400_000

const PROGRAM = `package main

import (
	"context"
	"fmt"
	"os"

	recollect "recollect/client"
)

func main() {
	configuration := recollect.NewConfiguration()
	configuration.Servers = recollect.ServerConfigurations{{URL: os.Args[1]}}
	configuration.AddDefaultHeader("X-API-Key", os.Args[2])
	client := recollect.NewAPIClient(configuration)
	projects, _, err := client.ProjectsAPI.ListProjects(context.Background()).Execute()
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	fmt.Println(len(projects.Data), projects.Data[0].Name)
}
`

let server: Server
let folder: string
beforeAll(async () => {
  server = await startServer({ staticAssets: false })
  folder = await mkdtemp(join(tmpdir(), 'recollect-go-'))
})
afterAll(async () => {
  await server.stop()
  await rm(folder, { recursive: true, force: true })
})

test.runIf(canGenerateGo)(
  'a Go client is generated from the document, builds as it is, and lists projects',
  async () => {
    await run('python3', ['-m', 'venv', join(folder, 'venv')])
    const pip = ['install', '--quiet', '--disable-pip-version-check', '--no-cache-dir', '--no-compile', GENERATOR]
    await run(join(folder, 'venv/bin/pip'), pip)
    await copyFile(join(ROOT, 'docs/openapi.json'), join(folder, 'openapi.json'))
    // Its tests import the package by an address that it does not have.
    const options = [
      '--additional-properties=packageName=recollect,withGoMod=false',
      '--global-property=apiTests=false,modelTests=false',
    ]
    const source = ['-i', 'openapi.json', '-g', 'go', '-o', 'client']
    await run(join(folder, 'venv/bin/openapi-generator-cli'), ['generate', ...source, ...options], { cwd: folder })
    await writeFile(join(folder, 'go.mod'), 'module recollect\n\ngo 1.23\n')
    await mkdir(join(folder, 'program'))
    await writeFile(join(folder, 'program/main.go'), PROGRAM)
    await run('go', ['mod', 'tidy'], { cwd: folder })
    await run('go', ['vet', './client', './program'], { cwd: folder })
    const key = await (await Agent.signUp(server.url)).makeKey(['read:projects'])
    const { stdout } = await run('go', ['run', './program', server.url, key], { cwd: folder })
    expect(stdout).toBe('1 Default\n')
  },
  GENERATE_MS,
)
