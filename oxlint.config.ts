import { defineConfig, type OxlintOverride } from 'oxlint'

/** The folders of `src/` by rank (docs/architecture.md): a file imports from lower ranks only. */
const RANKS = [
  ['core'],
  ['settings'],
  ['limits'],
  ['backends'],
  ['audit'],
  ['auth', 'models'],
  ['identity', 'hub'],
  ['events'],
  ['memory'],
  ['portal', 'reference', 'mcp', 'operator'],
]

/**
 * The rooms of a feature by rank. A room imports from lower rooms only, and the feature's own files, which hold what all
 * rooms share, import from no room; its `index.ts`, which shows what the feature offers, imports from all.
 */
const ROOMS: Record<string, string[][]> = {
  memory: [['keyword', 'embedding'], ['write', 'search'], ['guard'], ['erasure'], ['operations']],
}

/** The package of the client, by its folder and by its name. */
const CLIENT = {
  regex: '^((\\.\\./)+client/|recollect(/|$))',
  message: 'The service imports nothing of its client (docs/architecture.md).',
}

const SHELL = ['app', 'deps', 'endpoints', 'consumer', 'request-log', 'request-figures', 'cron', 'index']

export default defineConfig({
  plugins: ['typescript', 'unicorn', 'oxc', 'import', 'promise', 'vitest'],
  jsPlugins: ['./tools/lint/house.ts'],
  categories: { correctness: 'error', suspicious: 'error' },
  rules: {
    'house/no-insert-or-replace': 'error',
    'house/schema-names': 'error',
    'import/no-cycle': 'error',
    'import/no-self-import': 'error',
    'import/no-duplicates': 'error',
    'import/no-unassigned-import': 'off',
    'import/no-named-as-default-member': 'off',
    'no-console': 'error',
    'no-shadow': 'off',
    'no-underscore-dangle': 'off',
    'no-await-in-loop': 'off',
    'unicorn/no-array-sort': 'off',
    'unicorn/no-array-reverse': 'off',
    'unicorn/consistent-function-scoping': 'off',
    'typescript/no-floating-promises': 'error',
    'typescript/no-misused-promises': 'error',
    'typescript/no-explicit-any': 'error',
    'typescript/no-unsafe-type-assertion': 'off',
    'typescript/consistent-type-imports': 'error',
    'typescript/switch-exhaustiveness-check': 'off',
    'vitest/require-mock-type-parameters': 'off',
    'vitest/no-conditional-tests': 'off',
    'vitest/expect-expect': ['error', { assertFunctionNames: ['expect', 'expect*'] }],
    // The second argument says which row of a table failed.
    'vitest/valid-expect': ['error', { maxArgs: 2 }],
    'no-restricted-properties': [
      'error',
      {
        object: 'Date',
        property: 'now',
        message: 'Take the time from ctx.now() (core/clock.ts is its only source).',
      },
      { object: 'crypto', property: 'randomUUID', message: 'Take ids from ctx.newId().' },
      { object: 'Math', property: 'random', message: 'Take randomness from ctx.random().' },
    ],
  },
  ignorePatterns: ['worker-configuration.d.ts', 'migrations/**', 'client/src/api.ts'],
  overrides: [
    // Of two overrides that match a file, the later one holds.
    restricted(['src/**'], [CLIENT]),
    ...RANKS.flatMap((folders, rank) => folders.flatMap((folder) => importRules(folder, rank))),
    // The client is a package of its own.
    restricted(['client/src/*.ts'], [{ regex: '^\\.\\./', message: 'The client stands alone.' }]),
    restricted(
      ['client/src/*/**'],
      [{ regex: '^\\.\\./\\.\\./', message: 'The client stands alone.' }],
      ['client/src/cli/*/**'],
    ),
    restricted(
      ['client/src/cli/*/**'],
      [{ regex: '^(\\.\\./){3}', message: 'The client stands alone.' }],
      ['client/src/cli/*/*/**'],
    ),
    restricted(['client/src/cli/*/*/**'], [{ regex: '^(\\.\\./){4}', message: 'The client stands alone.' }]),
    {
      files: ['test/**', 'client/test/**', 'client/build.ts', 'bench/**', 'tools/**', '*.ts'],
      rules: { 'typescript/no-explicit-any': 'off', 'no-console': 'off', 'typescript/no-unsafe-type-assertion': 'off' },
    },
    { files: ['src/**', 'client/src/**', 'tools/**'], rules: { 'house/voice': 'error' } },
    // Shows the rule what it is against.
    { files: ['test/tools/lint.test.ts'], rules: { 'house/no-insert-or-replace': 'off' } },
    {
      files: ['src/core/values/clock.ts', 'test/**', 'client/test/**', 'bench/**', 'tools/**'],
      rules: { 'no-restricted-properties': 'off' },
    },
  ],
})

type ImportPattern = { message: string } & ({ regex: string } | { group: string[] })

function restricted(files: string[], patterns: ImportPattern[], excludeFiles: string[] = []): OxlintOverride {
  return { files, excludeFiles, rules: { 'no-restricted-imports': ['error', { patterns }] } }
}

/** What the files of a folder and of its rooms may not import. */
function importRules(folder: string, rank: number): OxlintOverride[] {
  const patterns = folderPatterns(folder, rank)
  const ranks = ROOMS[folder] ?? []
  return [
    restricted([`src/${folder}/**`], patterns),
    ...(ranks.length === 0
      ? []
      : [restricted([`src/${folder}/*.ts`], [...patterns, sharedPattern(folder, ranks)], [`src/${folder}/index.ts`])]),
    ...ranks.flatMap((rooms, roomRank) =>
      rooms.map((room) =>
        restricted([`src/${folder}/${room}/**`], [...patterns, roomPattern(folder, ranks, room, roomRank)]),
      ),
    ),
  ]
}

/** The folder's own rank and higher ones, another feature's inner files, and the shell. */
function folderPatterns(folder: string, rank: number): ImportPattern[] {
  const lower = RANKS.slice(0, rank).flat()
  const barred = RANKS.flat().filter((other) => other !== folder && !lower.includes(other))
  // core is imported file by file; every other feature shows what it offers in its index.
  const features = lower.filter((other) => other !== 'core')
  const reach = (file: string) => features.flatMap((other) => [`../**/${other}/${file}`, `../${other}/${file}`])
  const allowed = ['index.ts', 'table.ts'].flatMap(reach).map((path) => `!${path}`)
  return [
    {
      regex: `^(\\.\\./)+(${barred.join('|')})/`,
      message: `${folder}/ (rank ${rank}) imports lower ranks only: let it flow upward as a job or through a port (docs/architecture.md).`,
    },
    ...(features.length === 0
      ? []
      : [
          {
            group: [...reach('*'), ...reach('*/**'), ...allowed],
            message: 'Import another feature through its index.ts or table.ts.',
          },
        ]),
    {
      regex: `^(\\.\\./)+((${SHELL.join('|')})\\.ts$|pipeline/)`,
      message: 'Features do not know the shell around them.',
    },
    CLIENT,
  ]
}

function sharedPattern(folder: string, ranks: string[][]): ImportPattern {
  return {
    regex: `^\\./(${ranks.flat().join('|')})/`,
    message: `The files beside ${folder}/index.ts are shared by its rooms and import from none (docs/architecture.md).`,
  }
}

/** The room's own rank and higher ones, and the feature's index. */
function roomPattern(folder: string, ranks: string[][], room: string, rank: number): ImportPattern {
  const barred = ranks.slice(rank).flat()
  return {
    regex: `^\\.\\./(index\\.ts$|(${barred.filter((other) => other !== room).join('|')})/)`,
    message: `${folder}/${room}/ (rank ${rank} of its feature) imports lower rooms only (docs/architecture.md).`,
  }
}
