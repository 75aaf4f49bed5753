export function bundledPackages(): Record<string, string>
