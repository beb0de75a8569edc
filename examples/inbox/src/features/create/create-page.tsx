import { useQuery } from '@apollo/client/react';
import { Page } from '../../app/page.tsx';
import { codesOf } from '../../client/failure.ts';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { Loading } from '../../components/loading.tsx';
import { useText } from '../../language/text.ts';
import { graphql } from '../../gql/index.ts';
import { CreateForm } from './create-form.tsx';
import './create.css';

const createPageQuery = graphql(`
  query CreatePage {
    forms {
      id
      fullId
      ...CreateForm
    }
  }
`);

export function CreatePage() {
  const t = useText();
  const { data, error, loading, refetch } = useQuery(createPageQuery, {
    fetchPolicy: 'cache-and-network', // forms come and go
  });
  const forms = data?.forms;
  return (
    <Page title={t('New document')}>
      {forms && forms.length > 0 ? (
        <CreateForm forms={forms} onReloadForms={() => void refetch().catch(() => {})} />
      ) : error ? (
        <ErrorNotice
          title={t(
            codesOf(error).includes('FORBIDDEN')
              ? 'Only people who are allowed to read the forms can create documents.'
              : 'The forms cannot be shown.',
          )}
          error={error}
          onAction={() => void refetch().catch(() => {})}
        />
      ) : loading ? (
        <Loading label={t('the forms')} lines={6} />
      ) : (
        <p className="card">{t('There are no forms that you can use.')}</p>
      )}
    </Page>
  );
}
