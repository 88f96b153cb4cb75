// Installs the packages of package-lock.json. It runs on any Node from 20 on, before there is any package.
import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** How often the progress of an installation is printed. */
const PROGRESS_MS = 5_000

const packagesOf = (root, lockfile) => JSON.parse(readFileSync(join(root, lockfile), 'utf8')).packages

/** The locked packages that every platform needs, by their folder. */
const needed = (root) =>
  Object.entries(packagesOf(root, 'package-lock.json')).filter(([path, { optional }]) => path !== '' && !optional)

/**
 * Whether node_modules has each package in its locked version.
 * @param {string} root folder of package-lock.json
 */
export function isInstalled(root) {
  if (!existsSync(join(root, 'node_modules/.package-lock.json'))) return false
  const present = packagesOf(root, 'node_modules/.package-lock.json')
  return needed(root).every(([path, { version }]) => present[path]?.version === version)
}

/**
 * How many of the packages that npm downloads are unpacked.
 * @param {string} root folder of package-lock.json
 */
export function progressOf(root) {
  const downloads = needed(root).filter(([path, { link }]) => /(^|\/)node_modules\//.test(path) && !link)
  const unpacked = downloads.filter(([path]) => existsSync(join(root, path, 'package.json')))
  return `Installing packages: ${unpacked.length} of ${downloads.length}`
}

/**
 * Runs `npm ci` and prints the progress. Resolves with the exit code of npm.
 * @param {string} root folder of package-lock.json
 * @param {{ everyMs?: number, print?: (line: string) => void }} [options]
 * @returns {Promise<number>}
 */
export function install(root, { everyMs = PROGRESS_MS, print = console.log } = {}) {
  print('Installing packages (once, about a minute) …')
  const npm = spawn('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
    shell: process.platform === 'win32',
  })
  const timer = setInterval(() => print(progressOf(root)), everyMs)
  return new Promise((resolve, reject) => {
    npm.once('error', reject)
    npm.once('close', (code) => resolve(code ?? 1))
  }).finally(() => clearInterval(timer))
}
