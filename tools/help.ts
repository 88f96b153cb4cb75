/** Prints the text of a command and ends the process where its arguments ask for it. */
export function helpIfAsked(text: string): void {
  if (!process.argv.slice(2).some((arg) => arg === '--help' || arg === '-h')) return
  console.log(text)
  process.exit(0)
}
