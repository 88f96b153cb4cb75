export function isInstalled(root: string): boolean
export function progressOf(root: string): string
export function install(root: string, options?: { everyMs?: number; print?: (line: string) => void }): Promise<number>
