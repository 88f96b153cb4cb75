import { spawnSync } from 'node:child_process'

const isThere = (shell: string): boolean => spawnSync(shell, ['--version']).status === 0

export const hasZsh = isThere('zsh')
export const hasFish = isThere('fish')
