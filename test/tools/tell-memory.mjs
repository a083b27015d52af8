// Loaded ahead of a program: tells its peak memory in KiB, on file descriptor 3, when it ends.
import { writeSync } from 'node:fs'

process.on('exit', () => writeSync(3, String(process.resourceUsage().maxRSS)))
