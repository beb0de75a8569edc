import { defineGateway } from 'dms-graphql-gateway';

export default defineGateway({
  forms: {
    file: 'forms.json',
    documentProperty: 'form',
    names: { 'invoice.date': 'dueDate', 'invoice.lines': 'items' },
    types: {
      date: 'Date',
      docForm: 'Document',
      docForms: '[Document]',
      listValue: 'ListValue',
      number: 'Decimal',
      person: 'Person',
      table: 'Table',
    },
  },
});
