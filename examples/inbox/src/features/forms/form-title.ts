import { useStore } from '../../../../ui/store.ts';
import { graphql, useFragment, type FragmentType } from '../../gql/index.ts';
import { currentLanguage, textIn } from '../../language/language.ts';

const formTitleFragment = graphql(`
  fragment DeclaredFormTitle on Document {
    id
    form {
      id
      titles {
        language
        text
      }
    }
  }
`);

/** Returns the title of the form of a document. Null if the gateway does not know the form. */
export function useFormTitle(document: FragmentType<typeof formTitleFragment>): string | null {
  const language = useStore(currentLanguage);
  return textIn(useFragment(formTitleFragment, document).form?.titles, language);
}
