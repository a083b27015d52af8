// Where an executable begins: hands the process to the program, whose files lie in the folder of this one.
import { main } from './dist/main.mjs'

main(process.argv.slice(2), import.meta.dir).then((code) => {
  process.exitCode = code
})
