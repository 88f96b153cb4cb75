/** The public address of this repository; empty while it has none. */
export const REPOSITORY: string = ''

const FENCE = '```'

/** How README and the quickstart say to get the code, up to the command that starts it. A test compares them. */
export const startText = (repository = REPOSITORY): string =>
  repository === ''
    ? `Clone this repository into a folder named recollect, then run in that folder:

${FENCE}sh
npm start`
    : `${FENCE}sh
git clone ${repository} recollect && cd recollect
npm start`
