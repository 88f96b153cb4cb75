import { spawnSync } from 'node:child_process'

/** A Python that can make environments of its own. */
export const hasPython =
  spawnSync('python3', ['-c', 'import ensurepip, sys, venv; sys.exit(sys.version_info < (3, 11))']).status === 0
