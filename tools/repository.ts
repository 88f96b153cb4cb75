/** The public address of this repository; empty while it has none. */
export const REPOSITORY: string = ''

const FENCE = '```'

/** How README and the quickstart say to get the code, up to the command that starts it. A test compares them. */
export const startText = (repository = REPOSITORY): string =>
  repository === ''
    ? `No public address of this repository is set yet. Clone it from where you read this page, then run in its folder:

${FENCE}sh
npm start`
    : `${FENCE}sh
git clone ${repository} recollect && cd recollect
npm start`
