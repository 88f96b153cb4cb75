/** The lines for a shell that install our clients from the service at `origin`, in the version that it serves. */
export const installLines = (origin: string): { npm: string; pip: string } => {
  const address = (ending: string) =>
    `"${origin}$(curl -s ${origin}/client/versions.json | grep -o '/client/[^"]*${ending}')"`
  return {
    // npm 12 refuses an address without this flag.
    npm: `npm install --allow-remote=root ${address('tgz')}`,
    pip: `pip install ${address('whl')}`,
  }
}
