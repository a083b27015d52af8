// Types of the Handlebars runtime, as far as engine.ts uses it; the package has none.
declare module 'handlebars/runtime.js' {
  namespace Handlebars {
    type Helper = (value: unknown, place: string, name: string, notation: string) => unknown

    interface Options {
      readonly allowProtoPropertiesByDefault: boolean
      readonly allowProtoMethodsByDefault: boolean
    }

    interface Environment {
      registerHelper(name: string, helper: Helper): void
      template(spec: object): (view: object, options: Options) => string
    }

    function create(): Environment
  }
  export default Handlebars
}
