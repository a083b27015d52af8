// `npm run facts:check [FOLDER]`: what the tables lack of what the programs said.
import { differencesOf } from './differences.ts'

const [folder = 'test/judge/tables'] = process.argv.slice(2)
const lines = differencesOf(folder)
for (const line of lines) console.log(line)
console.log(`${lines.length} differences between ${folder} and the tables`)
process.exitCode = lines.length > 0 ? 1 : 0
